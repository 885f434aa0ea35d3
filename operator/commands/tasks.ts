import type { TaskView } from '#app/operator/tasks.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, type Given, refuse, show } from '../command.ts'
import { refusedPayments, waveLines } from './refused-payments.ts'

export const taskCommands: Command[] = [
  {
    usage: 'tasks list',
    says: 'what waits for a person, what is due first at the head; of one --kind only',
    options: { kind: { type: 'string' } },
    run: (desk, { options }) => listTasks(desk, options),
  },
  {
    usage: 'tasks done ID',
    look: 'tasks list',
    says: 'take one off that list, with a --note of what was done',
    options: { note: { type: 'string' } },
    run: (desk, { names: [id = ''], options }) => endTask(desk, id, options),
  },
]

async function listTasks(desk: CommandDesk, { kind }: Given['options']): Promise<number> {
  const of = typeof kind === 'string' ? `?kind=${encodeURIComponent(kind)}` : ''
  const answer = await call(desk.caller, 'GET', `/tasks${of}`)
  if (answer.status !== 200) return refuse(desk, answer)
  const tasks = answer.body as TaskView[]
  const wave = waveLines(await refusedPayments(desk))
  return show(desk, tasks, [
    ...wave,
    ...(tasks.length === 0 ? ['Nothing waits.'] : []),
    ...tasks.map(
      ({ id, order_code, subject, reason, created, due }) =>
        `${id}  ${created}  ${order_code ?? subject ?? ''}  ${reason}${due ? `  due ${due}` : ''}`,
    ),
  ])
}

async function endTask(desk: CommandDesk, id: string, { note }: Given['options']): Promise<number> {
  const json = typeof note === 'string' ? { note } : {}
  const answer = await call(desk.caller, 'POST', `/tasks/${id}/done`, { json })
  return answer.status === 200 ? show(desk, answer.body, ['Done.']) : refuse(desk, answer)
}
