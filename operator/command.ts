import type { Readable } from 'node:stream'
import type { ParseArgsOptionsConfig } from 'node:util'
import { type OperatorResponse, call, type RequestTarget, type RemoteServer } from './send-request.ts'

export type Terminal = {
  dataDir: string
  remote?: RemoteServer
  user?: string
  print(line: string): void
  printError(line: string): void
  /** Writes text unchanged, and rejects if it cannot be written. Use it for output that must not be lost. */
  write?(text: string): Promise<void>
  input?: Readable
  ask(question: string): Promise<boolean>
  environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the words that start this tool in the user's shell: `npm run operator --`, or the shell function `operator` of
 * docs/going-live.md. npm names the running script in the environment variable `npm_lifecycle_event`.
 */
export const operatorCommand = ({ environment = {} }: Terminal): string =>
  environment['npm_lifecycle_event'] === 'operator' ? 'npm run operator --' : 'operator'

export type CommandContext = Terminal & {
  yes: boolean
  json: boolean
  caller: RequestTarget
}

export type CommandArguments = {
  /** Values for the placeholders in the command's usage (the words in capitals), in order and URL-encoded. */
  names: string[]
  options: Record<string, string | boolean | undefined>
}

export type Command = {
  /** The command's words, with placeholders in capitals: `orders show ORDER`. */
  usage: string
  summary: string
  options?: ParseArgsOptionsConfig
  /**
   * A command that shows whether this command's change was made; omitted if this command changes nothing. It may use the same placeholders.
   */
  checkCommand?: string
  run(context: CommandContext, args: CommandArguments): Promise<number>
}

export const exitCodes = { done: 0, refused: 1, usage: 2, notRunning: 3, unknown: 4 } as const

export function printResponse(context: CommandContext, body: unknown, lines: string[]): number {
  if (context.json) context.print(formatJson(body))
  else for (const line of lines) context.print(stripControlCharacters(line))
  return exitCodes.done
}

export function printRejection(context: CommandContext, { body }: OperatorResponse): number {
  const { why, faults = [] } = body as { why?: string | null; faults?: string[] }
  for (const line of [...faults, why ?? 'The command failed.']) context.printError(stripControlCharacters(line))
  return exitCodes.refused
}

type RequestArguments = Parameters<typeof call> extends [RequestTarget, ...infer Rest] ? Rest : never

export async function requestAndPrint<Body>(
  context: CommandContext,
  callArguments: RequestArguments,
  formatLines: (body: Body) => string[],
): Promise<number> {
  const response = await call(context.caller, ...callArguments)
  return response.status === 200
    ? printResponse(context, response.body, formatLines(response.body as Body))
    : printRejection(context, response)
}

export async function confirmWithOperator(context: CommandContext, question: string): Promise<boolean> {
  if (context.yes || (await context.ask(stripControlCharacters(question)))) return true
  context.printError('Nothing was done.')
  return false
}

/** Removes control characters. Customers choose their own names, and could otherwise manipulate the terminal. */
export const stripControlCharacters = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')

/** Returns JSON with control characters escaped, so that they cannot manipulate the terminal and no data is lost. */
export const formatJson = (body: unknown, indent = 0): string =>
  JSON.stringify(body, null, indent).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

export const pluralize = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
