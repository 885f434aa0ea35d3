import type { ErrorView } from '#app/operator/errors.routes.ts'
import { requestAndPrint, type Command } from '../command.ts'

export const errorCommands: Command[] = [
  {
    usage: 'errors',
    summary: 'list errors in customers’ browsers, latest first',
    run: (context) => requestAndPrint(context, ['GET', '/errors'], formatErrors),
  },
]

const formatErrors = (errors: ErrorView[]): string[] => [
  ...(errors.length === 0 ? ['No browser errors reported.'] : []),
  ...errors.flatMap(({ fingerprint, count, kind, name, message, top_frame, page, first_seen, last_seen }) => [
    `${last_seen}  ${count} × on ${page}, ${kind}, since ${first_seen}`,
    `  ${name}: ${message}`,
    `  ${top_frame ?? 'location unknown'}  ${fingerprint}`,
  ]),
]
