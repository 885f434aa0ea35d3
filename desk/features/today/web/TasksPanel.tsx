import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useRefreshCounters } from '#desk/features/counters/web/me.counters.ts'
import type { Task, TaskList } from '../today.contract.ts'
import { TaskRow } from './TaskRow.tsx'
import { tasksQuery } from './today.queries.ts'
import * as s from './TaskRow.module.css'

const filtersByList: Record<TaskList, (task: Task) => boolean> = {
  all: () => true,
  free: ({ owner }) => owner === null,
  mine: ({ owner }) => owner?.is_own === true,
}

const emptyMessages = {
  all: 'No open tasks.',
  free: 'Every task has an owner.',
  mine: 'You have no tasks.',
} as const

const initialCount = 8

export function TasksPanel() {
  const { data, error, refetch } = useQuery(tasksQuery(useApi()))
  const refreshCounters = useRefreshCounters()
  const [list, setList] = useState<TaskList>('all')
  const [isExpanded, setExpanded] = useState(false)
  const handleChange = () => {
    void refetch()
    refreshCounters()
  }
  const tasks = data?.tasks ?? []
  const countTasks = (name: TaskList): number => tasks.filter(filtersByList[name]).length
  const listedTasks = tasks.filter(filtersByList[list])
  const shown = isExpanded ? listedTasks : listedTasks.slice(0, initialCount)
  const hiddenTasks = listedTasks.slice(shown.length)
  const late = hiddenTasks.filter((task) => task.is_late).length
  return (
    <Panel
      title="Open tasks"
      inset={false}
      action={
        <ChipRow
          label="Filter tasks"
          value={list}
          onChange={setList}
          chips={[
            { value: 'all', text: 'All', count: countTasks('all') },
            { value: 'free', text: 'Unassigned', count: countTasks('free') },
            { value: 'mine', text: 'Mine', count: countTasks('mine') },
          ]}
        />
      }
      foot={
        hiddenTasks.length > 0 ? (
          <>
            <button type="button" className={s.more} onClick={() => setExpanded(true)}>
              {hiddenTasks.length} more
            </button>
            <span>, {late === 0 ? 'none' : late} of them overdue</span>
          </>
        ) : data?.has_more ? (
          'Showing the first 200. Handle some of these to see the rest.'
        ) : undefined
      }
    >
      {error && !data && (
        <Unavailable what="We couldn’t load the tasks." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={4} />}
      {data && listedTasks.length === 0 && <p className={s.none}>{emptyMessages[list]}</p>}
      <ul className={s.tasks}>
        {shown.map((task) => (
          <TaskRow key={task.id} task={task} onChanged={handleChange} />
        ))}
      </ul>
    </Panel>
  )
}
