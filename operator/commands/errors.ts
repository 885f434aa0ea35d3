import type { ErrorView } from '#app/operator/errors.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, show } from '../command.ts'

export const errorCommands: Command[] = [
  { usage: 'errors', says: 'what went wrong in customers’ browsers, latest first', run: listErrors },
]

async function listErrors(desk: CommandDesk): Promise<number> {
  const { body } = await call(desk.caller, 'GET', '/errors')
  const errors = body as ErrorView[]
  return show(desk, errors, [
    ...(errors.length === 0 ? ['No browser has reported an error.'] : []),
    ...errors.flatMap(({ fingerprint, count, kind, name, message, top_frame, page, first_seen, last_seen }) => [
      `${last_seen}  ${count} × on ${page}, ${kind}, since ${first_seen}`,
      `  ${name}: ${message}`,
      `  ${top_frame ?? 'no place told'}  ${fingerprint}`,
    ]),
  ])
}
