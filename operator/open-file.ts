import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type CommandContext, stripControlCharacters } from './command.ts'

/** Opens a file that the operator named, or the piped input for `-`. If the file cannot be read, prints the reason and returns `null`. */
export async function openFile(context: CommandContext, path: string): Promise<Readable | null> {
  if (path === '-' && context.input) return context.input
  try {
    const file = await open(path)
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
    context.printError(stripControlCharacters(`${path} is a folder, not a file.`))
  } catch (error) {
    context.printError(
      stripControlCharacters(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`),
    )
  }
  return null
}
