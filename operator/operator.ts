import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConnectionBrokenError, isNotRunning, AccessDeniedError } from './send-request.ts'
import { type Command, type Terminal, exitCodes, operatorCommand, stripControlCharacters } from './command.ts'
import { commands } from './commands.ts'
import { formatHelp } from './help.ts'

const commonOptions = {
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  as: { type: 'string' },
  help: { type: 'boolean' },
} as const

export async function runOperator(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseCommandLine(args)
  if (parsed === 'help') {
    for (const line of formatHelp(
      terminal,
      commands,
      args.filter((word) => !word.startsWith('-') && word !== 'help'),
    ))
      terminal.print(line)
    return exitCodes.done
  }
  if (!parsed) {
    for (const line of formatHelp(terminal, commands, args)) terminal.printError(line)
    return exitCodes.usage
  }
  const { command, names, options } = parsed
  const name = options['as'] ?? terminal.user
  try {
    return await command.run(
      {
        ...terminal,
        yes: options['yes'] === true,
        json: options['json'] === true,
        caller: {
          dataDir: terminal.dataDir,
          ...(terminal.remote && { remote: terminal.remote }),
          ...(typeof name === 'string' && { name }),
        },
      },
      { names, options },
    )
  } catch (error) {
    if (error instanceof AccessDeniedError) {
      terminal.printError(stripControlCharacters(error.message))
      return exitCodes.refused
    }
    if (error instanceof ConnectionBrokenError) {
      terminal.printError(
        stripControlCharacters(`The connection to Fantail was lost before it responded: ${error.message}`),
      )
      terminal.printError(stripControlCharacters(getBrokenConnectionAdvice(terminal, error, command, names)))
      return exitCodes.unknown
    }
    const why = describeConnectionError(error, terminal)
    if (!why) throw error
    terminal.printError(why)
    return exitCodes.notRunning
  }
}

/** Returns advice for when the connection broke. A query can simply be repeated, but a change may or may not have been made. */
function getBrokenConnectionAdvice(
  terminal: Terminal,
  { method }: ConnectionBrokenError,
  { usage, checkCommand: look }: Command,
  names: string[],
): string {
  if (method === 'GET' || !look) return 'Nothing was changed. Please try again.'
  const words = usage.split(' ').filter(isPlaceholder)
  const commandWords = look.split(' ').map((word) => {
    const name = names[words.indexOf(word)]
    return name === undefined ? word : decodeURIComponent(name)
  })
  return `It is not known whether the command took effect. To check: ${operatorCommand(terminal)} ${commandWords.join(' ')}`
}

/** Describes a connection error; `null` for any other error. */
function describeConnectionError(error: unknown, { remote, dataDir }: Terminal): string | null {
  if (remote) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    return code && `Cannot connect to Fantail at ${remote.url} (${code}). Check OPERATOR_URL and OPERATOR_CA.`
  }
  return isNotRunning(error)
    ? `Fantail is not running with DATA_DIR ${dataDir}. Start it first, or set DATA_DIR to its data folder.`
    : null
}

type ParsedCommand = { command: Command; names: string[]; options: Record<string, string | boolean | undefined> }

/** Parses a command line. Returns `null` if the command or an option is unknown. */
function parseCommandLine(args: string[]): ParsedCommand | 'help' | null {
  const options: ParseArgsOptionsConfig = Object.assign(
    {},
    ...commands.map((command) => command.options),
    commonOptions,
  )
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (positionals[0] === 'help' || values['help'] === true) return 'help'
    const command = commands.find(({ usage }) => matchesUsage(usage, positionals))
    if (!command) return null
    const known = { ...command.options, ...commonOptions }
    if (!Object.keys(values).every((option) => Object.hasOwn(known, option))) return null
    const names = command.usage
      .split(' ')
      .flatMap((word, index) => (isPlaceholder(word) ? [encodeURIComponent(positionals[index] ?? '')] : []))
    return { command, names, options: values as ParsedCommand['options'] }
  } catch {
    return null
  }
}

function matchesUsage(usage: string, words: string[]): boolean {
  const parts = usage.split(' ')
  return parts.length === words.length && parts.every((part, index) => isPlaceholder(part) || part === words[index])
}

const isPlaceholder = (word: string): boolean => /^[A-Z]/.test(word)
