import type { TaskView } from '#app/operator/tasks.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, refuse, show } from '../command.ts'
import { refusedPayments, waveLines } from './refused-payments.ts'

export const taskCommands: Command[] = [
  { usage: 'tasks list', says: 'what waits for a person', run: listTasks },
  {
    usage: 'tasks done ID',
    says: 'take one off that list',
    run: (desk, { names: [id = ''] }) => endTask(desk, id),
  },
]

async function listTasks(desk: CommandDesk): Promise<number> {
  const { body } = await call(desk.caller, 'GET', '/tasks')
  const tasks = body as TaskView[]
  const wave = waveLines(await refusedPayments(desk))
  return show(desk, tasks, [
    ...wave,
    ...(tasks.length === 0 ? ['Nothing waits.'] : []),
    ...tasks.map(({ id, order_code, reason, created }) => `${id}  ${created}  ${order_code}  ${reason}`),
  ])
}

async function endTask(desk: CommandDesk, id: string): Promise<number> {
  const answer = await call(desk.caller, 'POST', `/tasks/${id}/done`)
  return answer.status === 200 ? show(desk, answer.body, ['Done.']) : refuse(desk, answer)
}
