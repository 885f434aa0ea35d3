import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { IconMark } from '#kit/web/desk/IconMark.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import { endTask, handBackTask, takeTask, type Task } from '../today.contract.ts'
import { canTakeTask, getTaskPath, taskIcon } from './task.labels.ts'
import * as s from './TaskRow.module.css'

type Props = { task: Task; onChanged: () => void }
type TaskRowProps = Props & {
  /** Selects the task, for taking several at once. `undefined` if tasks in this list cannot be selected. */
  selection: { isSelected: boolean; onToggle: () => void } | undefined
}

export function TaskRow({ task, onChanged, selection }: TaskRowProps) {
  const api = useApi()
  const { reason, owner } = task
  const params = { id: task.id }
  const [isEnding, setEnding] = useState(false)
  // Taking a task refreshes the list even after an error, so that the list shows the owner if someone else was faster.
  const refreshOnSuccess = { onSuccess: onChanged }
  const take = useMutation({
    mutationFn: () => withFormErrors(api.call(takeTask, { params })).finally(onChanged),
    ...refreshOnSuccess,
  })
  const handBackMutation = useMutation({
    mutationFn: () => withFormErrors(api.call(handBackTask, { params })),
    ...refreshOnSuccess,
  })
  const href = getTaskPath(task, useMe())
  return (
    <li className={s.task} data-task={task.id}>
      {selection && <SelectCell task={task} {...selection} />}
      <IconMark {...taskIcon(task)} />
      <div>
        <TaskReason text={reason} href={href} />
        <TaskDetail task={task} />
      </div>
      <Owner owner={owner} />
      <span className={s.age}>{durationLabel(task.age_seconds)}</span>
      <span className={s.acts}>
        {task.why_not && <span className="muted">{task.why_not}</span>}
        {canTakeTask(task) && (
          <DenseButton
            small
            aria-busy={take.isPending || undefined}
            onClick={() => take.isPending || void take.mutate()}
          >
            Take
          </DenseButton>
        )}
        {owner?.is_own && !task.why_not && (
          <>
            <DenseButton small kind="word" onClick={() => handBackMutation.isPending || void handBackMutation.mutate()}>
              Unassign
            </DenseButton>
            <DenseButton small aria-expanded={isEnding} onClick={() => setEnding(!isEnding)}>
              Done
            </DenseButton>
          </>
        )}
      </span>
      <div className={s.below}>
        <ErrorBanner error={take.error ?? handBackMutation.error} />
        {isEnding && <EndTaskForm task={task} onChanged={onChanged} />}
      </div>
    </li>
  )
}

function SelectCell({ task, isSelected, onToggle }: NonNullable<TaskRowProps['selection']> & { task: Task }) {
  if (!canTakeTask(task)) return <span className={s.unselectable} />
  return (
    <label className={s.select}>
      <input type="checkbox" checked={isSelected} onChange={onToggle} aria-label={`Select: ${task.reason}`} />
    </label>
  )
}

function TaskReason({ text, href }: { text: string; href: string | null }) {
  if (!href)
    return (
      <p className={s.reason} tabIndex={-1} data-row="">
        {text}
      </p>
    )
  return (
    <p className={s.reason}>
      <Link href={href} data-row="">
        {text}
      </Link>
    </p>
  )
}

function Owner({ owner }: Pick<Props['task'], 'owner'>) {
  if (!owner)
    return (
      <span className={s.free}>
        <span className="visually-hidden">Unassigned</span>
      </span>
    )
  return (
    <span className={s.owner} title={owner.name}>
      <StaffAvatar name={owner.name} />
      <span className="visually-hidden">{owner.is_own ? 'Assigned to you' : `Assigned to ${owner.name}`}</span>
    </span>
  )
}

function TaskDetail({ task: { kind_words, order, name, due, is_late } }: { task: Task }) {
  const { zone } = useBootstrap().market
  const description = [kind_words, order, name].filter(Boolean).join(' · ')
  return (
    <p className={s.detail}>
      {description}
      {due && (
        <span>
          {' · '}
          <span className={is_late ? s.late : ''}>
            {is_late ? 'was due' : 'due'} {formatDayAndTime(due, zone)}
          </span>
        </span>
      )}
    </p>
  )
}

function EndTaskForm({ task: { id, for_leads: wantsNote }, onChanged }: Props) {
  const api = useApi()
  const [note, setNote] = useState('')
  const end = useMutation({
    mutationFn: () => withFormErrors(api.call(endTask, { params: { id }, body: { note } })),
    onSuccess: onChanged,
  })
  return (
    <form
      className={s.end}
      onSubmit={(event) => {
        event.preventDefault()
        if (!end.isPending) void end.mutate()
      }}
    >
      <label>
        <span className="visually-hidden">Result</span>
        <input
          value={note}
          placeholder="Result"
          maxLength={500}
          required={wantsNote}
          autoComplete="off"
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <DenseButton type="submit" kind="primary" aria-busy={end.isPending || undefined}>
        Close task
      </DenseButton>
      <ErrorBanner error={end.error} />
    </form>
  )
}
