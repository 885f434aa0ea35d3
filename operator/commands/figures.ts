import type { FiguresRebuilt } from '#app/operator/figures.routes.ts'
import { callAndShow, type Command, counted } from '../command.ts'

export const figureCommands: Command[] = [
  {
    usage: 'figures rebuild',
    says:
      'count the days that are over anew, from the first order on or --from 2026-12-01, for what the desk compares today with; ' +
      'repeating it does no harm',
    options: { from: { type: 'string' } },
    run: (desk, { options: { from } }) =>
      callAndShow(desk, ['POST', '/figures/rebuild', { json: { from } }], ({ days }: FiguresRebuilt) => [
        days === 0
          ? 'There is no day to count: none is over since then.'
          : `${counted(days, 'day', 'days')} counted anew.`,
      ]),
  },
]
