import type { Readable } from 'node:stream'
import type { ParseArgsOptionsConfig } from 'node:util'
import { type Answer, call, type Caller, type Remote } from './call.ts'

/** What a command has to work with; `ask` answers whether the question was answered with yes. */
export type Desk = {
  dataDir: string
  /** A product on another host, in the place of the one on `dataDir`. */
  remote?: Remote
  /** Who uses the tool, where `--as` does not say. */
  user?: string
  say(line: string): void
  complain(line: string): void
  /** Writes what must not be lost as it is; rejects when it could not be. */
  write?(text: string): Promise<void>
  /** What is piped in. */
  input?: Readable
  ask(question: string): Promise<boolean>
  /** What the tool was started with. */
  environment?: Readonly<Record<string, string | undefined>>
}

/** A desk on which a command has been given. */
export type CommandDesk = Desk & {
  /** Asked for with `--yes`: nothing is asked. */
  yes: boolean
  /** Asked for with `--json`: the answers as they are, one a line. */
  json: boolean
  caller: Caller
}

export type Given = {
  /** One for each word in capitals of the usage, ready to stand in a path. */
  names: string[]
  options: Record<string, string | boolean | undefined>
}

/** A command, as the help tells it and as it is done. */
export type Command = {
  /** Its words, and in capitals what stands for a name of the operator's: `orders show ORDER`. */
  usage: string
  says: string
  /** Its own options, beside `--yes`, `--json`, `--as` and `--help`. What each is, stands in `says`. */
  options?: ParseArgsOptionsConfig
  /** Which command shows whether this one was done, with what it has of its words; for one that changes something. */
  look?: string
  /** Answers what to exit with. */
  run(desk: CommandDesk, given: Given): Promise<number>
}

/** What the tool ends with. */
export const exits = { done: 0, refused: 1, usage: 2, notRunning: 3, unknown: 4 } as const

/** Shows what was answered: by its lines, or as it is with `--json`. */
export function show(desk: CommandDesk, body: unknown, lines: string[]): number {
  if (desk.json) desk.say(jsonOf(body))
  else for (const line of lines) desk.say(printable(line))
  return exits.done
}

/** Says why the product would not, after every fault that it found in a file. */
export function refuse(desk: CommandDesk, { body }: Answer): number {
  const { why, faults = [] } = body as { why?: string | null; faults?: string[] }
  for (const line of [...faults, why ?? 'That did not work.']) desk.complain(printable(line))
  return exits.refused
}

type Asked = Parameters<typeof call> extends [Caller, ...infer Rest] ? Rest : never

/** Makes one call, and shows the body of its answer by these lines or says why the product would not. */
export async function callAndShow<Body>(
  desk: CommandDesk,
  asked: Asked,
  linesOf: (body: Body) => string[],
): Promise<number> {
  const answer = await call(desk.caller, ...asked)
  return answer.status === 200 ? show(desk, answer.body, linesOf(answer.body as Body)) : refuse(desk, answer)
}

/** Asks before money moves or something ends; true when it may. */
export async function isSure(desk: CommandDesk, question: string): Promise<boolean> {
  if (desk.yes || (await desk.ask(printable(question)))) return true
  desk.complain('Nothing was done.')
  return false
}

/** Customers choose their names: nothing in one may speak to the terminal. */
export const printable = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')

/** JSON of a body, in which nothing speaks to the terminal and nothing is lost. */
export const jsonOf = (body: unknown, indent = 0): string =>
  JSON.stringify(body, null, indent).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
