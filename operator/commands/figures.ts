import type { FiguresRebuilt } from '#app/operator/figures.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, counted, type Given, refuse, show } from '../command.ts'

export const figureCommands: Command[] = [
  {
    usage: 'figures rebuild',
    says:
      'count the days that are over anew, from the first order on or --from 2026-12-01, for what the desk compares today with; ' +
      'repeating it does no harm',
    options: { from: { type: 'string' } },
    run: rebuild,
  },
]

async function rebuild(desk: CommandDesk, { options: { from } }: Given): Promise<number> {
  const answer = await call(desk.caller, 'POST', '/figures/rebuild', { json: typeof from === 'string' ? { from } : {} })
  if (answer.status !== 200) return refuse(desk, answer)
  const { days } = answer.body as FiguresRebuilt
  return show(desk, answer.body, [
    days === 0 ? 'There is no day to count: none is over since then.' : `${counted(days, 'day', 'days')} counted anew.`,
  ])
}
