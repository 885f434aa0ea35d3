import type { Readable } from 'node:stream'
import type { ParseArgsOptionsConfig } from 'node:util'
import { type Answer, call, type Caller, type Remote } from './call.ts'

export type Desk = {
  dataDir: string
  remote?: Remote
  user?: string
  say(line: string): void
  complain(line: string): void
  /** Writes text unchanged and rejects on failure, for output that must not be lost. */
  write?(text: string): Promise<void>
  input?: Readable
  ask(question: string): Promise<boolean>
  environment?: Readonly<Record<string, string | undefined>>
}

export type CommandDesk = Desk & {
  yes: boolean
  json: boolean
  caller: Caller
}

export type Given = {
  /** A value for each word in capitals of the usage, URL-encoded. */
  names: string[]
  options: Record<string, string | boolean | undefined>
}

export type Command = {
  /** The command's words, with names to fill in as capitals: `orders show ORDER`. */
  usage: string
  says: string
  options?: ParseArgsOptionsConfig
  /** For a command that changes something: the command that shows whether the change was made. It may use the same names. */
  look?: string
  run(desk: CommandDesk, given: Given): Promise<number>
}

export const exits = { done: 0, refused: 1, usage: 2, notRunning: 3, unknown: 4 } as const

export function show(desk: CommandDesk, body: unknown, lines: string[]): number {
  if (desk.json) desk.say(jsonOf(body))
  else for (const line of lines) desk.say(printable(line))
  return exits.done
}

export function refuse(desk: CommandDesk, { body }: Answer): number {
  const { why, faults = [] } = body as { why?: string | null; faults?: string[] }
  for (const line of [...faults, why ?? 'The command failed.']) desk.complain(printable(line))
  return exits.refused
}

type Asked = Parameters<typeof call> extends [Caller, ...infer Rest] ? Rest : never

export async function callAndShow<Body>(
  desk: CommandDesk,
  asked: Asked,
  linesOf: (body: Body) => string[],
): Promise<number> {
  const answer = await call(desk.caller, ...asked)
  return answer.status === 200 ? show(desk, answer.body, linesOf(answer.body as Body)) : refuse(desk, answer)
}

export async function isSure(desk: CommandDesk, question: string): Promise<boolean> {
  if (desk.yes || (await desk.ask(printable(question)))) return true
  desk.complain('Nothing was done.')
  return false
}

/** Removes control characters, because customers choose their names and could otherwise manipulate the terminal. */
export const printable = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')

/** JSON with escaped control characters, so that nothing manipulates the terminal and nothing is lost. */
export const jsonOf = (body: unknown, indent = 0): string =>
  JSON.stringify(body, null, indent).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
