import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

type Journal<Entry> = {
  entries: Entry[]
  /** Appends an entry. On return the operating system has the entry, so it survives a SIGKILL of the process, but not a power cut. */
  append(entry: Entry): void
  close(): void
}

/**
 * Opens an append-only file with one JSON entry per line, and creates the file if it is missing.
 * If a kill left the last line incomplete, its entry was never acknowledged, so the line is dropped.
 * @throws if any other line is damaged
 */
export function openJournal<Entry>(path: string): Journal<Entry> {
  mkdirSync(dirname(path), { recursive: true })
  const entries = existsSync(path) ? readEntries<Entry>(path) : []
  const file = openSync(path, 'a')
  return {
    entries,
    append: (entry) => writeFully(file, Buffer.from(`${JSON.stringify(entry)}\n`)),
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

// The operating system may write only part of the data, so the write is repeated for the rest.
function writeFully(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}
