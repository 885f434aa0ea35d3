import { useRef, useState } from 'react'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { Task } from '../today.contract.ts'
import { canTakeTask, formatTaskCount } from './task.labels.ts'
import { TaskRow } from './TaskRow.tsx'
import { type TakeResult, useTakeTasks } from './use-take-tasks.ts'
import { useTaskShortcuts } from './use-task-shortcuts.ts'
import * as s from './TaskRow.module.css'

type Props = { tasks: readonly Task[]; onChanged: () => void }

export function TaskList({ tasks, onChanged }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const { take, isPending, result, error } = useTakeTasks({ onTaken: () => setSelectedIds(new Set()), onChanged })
  const takeableTasks = tasks.filter(canTakeTask)
  // A selected task is ignored once it is gone or somebody has taken it.
  const selectedTasks = takeableTasks.filter(({ id }) => selectedIds.has(id))
  const toggleTask = ({ id }: Task) =>
    setSelectedIds(new Set(selectedIds.has(id) ? [...selectedIds].filter((each) => each !== id) : [...selectedIds, id]))
  useTaskShortcuts(list, {
    takeable: takeableTasks,
    selected: selectedTasks,
    toggle: toggleTask,
    take: (those) => void take(those),
  })
  return (
    <>
      <div role="status" className={s.result}>
        {result && <TakeResultBanner result={result} />}
      </div>
      <ErrorBanner error={error} />
      {takeableTasks.length > 1 && (
        <SelectionBar
          selected={selectedTasks.length}
          takeable={takeableTasks.length}
          isPending={isPending}
          onSelectAll={(all) => setSelectedIds(new Set(all ? takeableTasks.map(({ id }) => id) : []))}
          onTake={() => void take(selectedTasks)}
        />
      )}
      <ul ref={list} className={`${s.tasks} ${takeableTasks.length > 1 ? s.selectable : ''}`}>
        {tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            onChanged={onChanged}
            selection={
              takeableTasks.length > 1
                ? { isSelected: selectedIds.has(task.id), onToggle: () => toggleTask(task) }
                : undefined
            }
          />
        ))}
      </ul>
      {tasks.length > 0 && (
        <p className={s.keys}>
          <KeyHint keys="J" /> <KeyHint keys="K" /> up and down <KeyHint keys="S" /> select <KeyHint keys="T" /> take
        </p>
      )}
    </>
  )
}

type SelectionBarProps = {
  selected: number
  takeable: number
  isPending: boolean
  onSelectAll: (all: boolean) => void
  onTake: () => void
}

function SelectionBar({ selected, takeable, isPending, onSelectAll, onTake }: SelectionBarProps) {
  return (
    <div className={s.selection}>
      <label>
        <input
          type="checkbox"
          checked={selected === takeable}
          onChange={(event) => onSelectAll(event.currentTarget.checked)}
        />
        Select all unassigned
      </label>
      <DenseButton small disabled={selected === 0} aria-busy={isPending || undefined} onClick={onTake}>
        Take selected ({selected})
      </DenseButton>
    </div>
  )
}

function TakeResultBanner({ result: { taken, notTaken } }: { result: TakeResult }) {
  return (
    <Banner kind={notTaken.length === 0 ? 'good' : 'warn'}>
      <p>{taken === 0 ? 'No task was assigned to you.' : `${formatTaskCount(taken)} assigned to you.`}</p>
      {notTaken.length > 0 && (
        <ul>
          {notTaken.map(({ reason, why }) => (
            <li key={reason}>
              {reason}: {why}
            </li>
          ))}
        </ul>
      )}
    </Banner>
  )
}
