import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

type Journal<Entry> = {
  entries: Entry[]
  /** Appends an entry. Once this returns, the operating system has the entry, so it survives a SIGKILL but not a power cut. */
  append(entry: Entry): void
  close(): void
}

/**
 * Opens an append-only file with one JSON entry per line, creating it if necessary. If the last line is incomplete because the process was
 * killed, it is dropped; that entry was never acknowledged.
 * @throws if any other line is damaged
 */
export function openJournal<Entry>(path: string): Journal<Entry> {
  mkdirSync(dirname(path), { recursive: true })
  const entries = existsSync(path) ? readEntries<Entry>(path) : []
  const file = openSync(path, 'a')
  return {
    entries,
    append: (entry) => writeAllBytes(file, Buffer.from(`${JSON.stringify(entry)}\n`)),
    close: () => closeSync(file),
  }
}

function readEntries<Entry>(path: string): Entry[] {
  const content = readFileSync(path)
  const completeLength = content.lastIndexOf('\n') + 1
  if (completeLength < content.length) truncateSync(path, completeLength)
  return content
    .subarray(0, completeLength)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        return JSON.parse(line) as Entry
      } catch {
        throw new Error(`${path}: line ${index + 1} is damaged`)
      }
    })
}

// The operating system may write only part of the data, so repeat the write for the rest.
function writeAllBytes(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}
