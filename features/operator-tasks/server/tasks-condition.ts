import type { Db, Trx } from '#kit/server/db.ts'
import { countOpenTasks } from './operator-tasks.store.ts'

type MailedTaskIds = { open: string[]; ended: string[] }

const conditionPrefix = 'tasks:'

export const createTasksCondition = ({ open, ended }: MailedTaskIds): string =>
  `${conditionPrefix}${open.join(',')};${ended.join(',')}`

export const isTasksCondition = (condition: string): boolean => condition.startsWith(conditionPrefix)

export function parseTasksCondition(condition: string): MailedTaskIds {
  const [open = [], ended = []] = condition
    .slice(conditionPrefix.length)
    .split(';')
    .map((ids) => ids.split(',').filter((id) => id !== ''))
  return { open, ended }
}

export async function checkTasksCondition(db: Db | Trx, condition: string): Promise<string | null> {
  const { open } = parseTasksCondition(condition)
  return (await countOpenTasks(db, open)) === open.length ? condition : null
}
