import type { RebuiltFigures } from '#app/operator/figures.routes.ts'
import { requestAndPrint, type Command, pluralize } from '../command.ts'

export const figureCommands: Command[] = [
  {
    usage: 'figures rebuild',
    summary:
      'recalculate the daily figures of past days, since the first order or --from 2026-12-01, which the desk compares today with; ' +
      'can be repeated safely',
    options: { from: { type: 'string' } },
    run: (context, { options: { from } }) =>
      requestAndPrint(context, ['POST', '/figures/rebuild', { json: { from } }], ({ days }: RebuiltFigures) => [
        days === 0 ? 'There are no past days to recalculate.' : `${pluralize(days, 'day', 'days')} recalculated.`,
      ]),
  },
]
