import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type CommandDesk, printable } from './command.ts'

/** Opens the operator's file, or the piped input for `-`. Prints the reason and returns `null` if the file cannot be read. */
export async function openFile(desk: CommandDesk, path: string): Promise<Readable | null> {
  if (path === '-' && desk.input) return desk.input
  try {
    const file = await open(path)
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
    desk.complain(printable(`${path} is a folder, not a file.`))
  } catch (error) {
    desk.complain(printable(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`))
  }
  return null
}
