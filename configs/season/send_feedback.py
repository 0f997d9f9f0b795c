#!/usr/bin/env python3
"""Mails each author the address of the own feedback page (docs/guides/nightly-league.md, Each author's feedback by mail).

The table is feedback-links.txt of a result folder; ADDRESSES is a CSV file with a name of a bot and a mail address in each
line; BASE is where the folder feedback-links is served. An address stays the same every night, so it is mailed once: --sent
names the file that remembers whom.
"""

import argparse
import csv
import os
import pathlib
import smtplib
import sys
from collections import Counter
from email.message import EmailMessage


def pages(table):
    """The files by the names of bots; None for a name that two folders have, because either may be the author's."""
    lines = [line.split("\t") for line in pathlib.Path(table).read_text(encoding="utf-8").splitlines()]
    count = Counter(name for _, name, _ in lines)
    for name in sorted(name for name in count if count[name] > 1):
        print(f"{name}: two folders have this name; send it by hand", file=sys.stderr)
    return {name: file if count[name] == 1 else None for file, name, _ in lines}


def messages(options):
    """The mails that have not been sent yet, with what to remember of each."""
    sent = set()
    if options.sent and options.sent.exists():
        sent = set(options.sent.read_text(encoding="utf-8").splitlines())
    found = pages(options.table)
    with open(options.addresses, encoding="utf-8-sig", newline="") as file:  # a spreadsheet begins it with a mark
        rows = [row for row in csv.reader(file) if row]
    for row in rows:
        if len(row) < 2:
            print(f"{row[0]}: no comma between a name and a mail address", file=sys.stderr)
    addresses = {row[0].strip(): row[1].strip() for row in rows if len(row) > 1}
    for name in sorted(found.keys() - addresses.keys()):
        print(f"{name}: no mail address", file=sys.stderr)
    for name in sorted(addresses.keys() - found.keys()):
        print(f"{name}: no bot has this name", file=sys.stderr)
    for name, file in sorted(found.items()):
        mark = f"{addresses.get(name)} {file}"
        if file is None or name not in addresses or mark in sent:
            continue
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = options.sender, addresses[name], options.subject
        url = f"{options.base.rstrip('/')}/{file}"
        mail.set_content(f"The feedback for your bot, new after every night:\n\n{url}\n\nThe address is for you alone.\n")
        yield mark, url, mail


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="feedback-links.txt")
    parser.add_argument("addresses", help="a CSV file: name of the bot, mail address")
    parser.add_argument("base", help="the URL of the folder feedback-links")
    parser.add_argument("--sender", default="arena@localhost")
    parser.add_argument("--subject", default="Your bot")
    parser.add_argument("--server", default="localhost:25", help="HOST:PORT; SMTP_USER and SMTP_PASSWORD log in, with TLS")
    parser.add_argument("--sent", type=pathlib.Path, help="the file that remembers whom the address was sent")
    parser.add_argument("--dry-run", action="store_true", help="prints what would be sent")
    options = parser.parse_args()
    waiting = list(messages(options))
    if options.dry_run:
        for _, url, mail in waiting:
            print(f"{mail['To']}: {url}")
        return
    if not waiting:
        return
    host, _, port = options.server.rpartition(":")
    with smtplib.SMTP(host, int(port), timeout=60) as server:
        if os.environ.get("SMTP_USER"):
            server.starttls()
            server.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
        for mark, _, mail in waiting:
            server.send_message(mail)
            if options.sent:
                with open(options.sent, "a", encoding="utf-8") as file:
                    print(mark, file=file)


main()
