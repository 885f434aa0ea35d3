import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { BrokenOff, isNotRunning, NotLetIn } from './call.ts'
import { type Command, type Desk, exits, printable } from './command.ts'
import { commands } from './commands.ts'
import { helpOf } from './help.ts'

const everywhere = {
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  as: { type: 'string' },
  help: { type: 'boolean' },
} as const

export async function runOperator(args: string[], desk: Desk): Promise<number> {
  const asked = read(args)
  if (asked === 'help') {
    for (const line of helpOf(
      commands,
      args.filter((word) => !word.startsWith('-') && word !== 'help'),
    ))
      desk.say(line)
    return exits.done
  }
  if (!asked) {
    for (const line of helpOf(commands, args)) desk.complain(line)
    return exits.usage
  }
  const { command, names, options } = asked
  const name = options['as'] ?? desk.user
  try {
    return await command.run(
      {
        ...desk,
        yes: options['yes'] === true,
        json: options['json'] === true,
        caller: {
          dataDir: desk.dataDir,
          ...(desk.remote && { remote: desk.remote }),
          ...(typeof name === 'string' && { name }),
        },
      },
      { names, options },
    )
  } catch (error) {
    if (error instanceof NotLetIn) {
      desk.complain(printable(error.message))
      return exits.refused
    }
    if (error instanceof BrokenOff) {
      desk.complain(printable(`The connection to the product was lost before it answered: ${error.message}`))
      desk.complain(printable(whatNow(error, command, names)))
      return exits.unknown
    }
    const why = whyNotThere(error, desk)
    if (!why) throw error
    desk.complain(why)
    return exits.notRunning
  }
}

/** Advice after a broken connection. A query can be repeated, but the outcome of a change is not known. */
function whatNow({ method }: BrokenOff, { usage, look }: Command, names: string[]): string {
  if (method === 'GET' || !look) return 'Nothing was changed. Please try again.'
  const words = usage.split(' ').filter(isName)
  const named = look.split(' ').map((word) => {
    const name = names[words.indexOf(word)]
    return name === undefined ? word : decodeURIComponent(name)
  })
  return `It is not known whether the command took effect. To check: npm run operator -- ${named.join(' ')}`
}

/** `null` for an error that is not about the connection. */
function whyNotThere(error: unknown, { remote, dataDir }: Desk): string | null {
  if (remote) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    return code && `Cannot connect to the product at ${remote.url} (${code}). Check OPERATOR_URL and OPERATOR_CA.`
  }
  return isNotRunning(error)
    ? `No product is running with DATA_DIR ${dataDir}. Start it first, or set DATA_DIR to its data folder.`
    : null
}

type Asked = { command: Command; names: string[]; options: Record<string, string | boolean | undefined> }

/** Parses a command line. `null` if the command or an option is unknown. */
function read(args: string[]): Asked | 'help' | null {
  const options: ParseArgsOptionsConfig = Object.assign({}, ...commands.map((command) => command.options), everywhere)
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (positionals[0] === 'help' || values['help'] === true) return 'help'
    const command = commands.find(({ usage }) => fits(usage, positionals))
    if (!command) return null
    const known = { ...command.options, ...everywhere }
    if (!Object.keys(values).every((option) => Object.hasOwn(known, option))) return null
    const names = command.usage
      .split(' ')
      .flatMap((word, index) => (isName(word) ? [encodeURIComponent(positionals[index] ?? '')] : []))
    return { command, names, options: values as Asked['options'] }
  } catch {
    return null
  }
}

function fits(usage: string, words: string[]): boolean {
  const parts = usage.split(' ')
  return parts.length === words.length && parts.every((part, index) => isName(part) || part === words[index])
}

const isName = (word: string): boolean => /^[A-Z]/.test(word)
