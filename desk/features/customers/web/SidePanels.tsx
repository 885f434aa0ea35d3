import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { Link } from '#kit/web/Link.tsx'
import { formatDateAndTime } from '#desk/features/staff/web/date-time.labels.ts'
import type { Customer, AccessLogEntry } from '../customers.contract.ts'
import { NoteForm } from './NoteForm.tsx'
import * as s from './customer.module.css'

/** Formats the desk's own times without the zone, which the desk's clock names at the top of every page. */
export function useMomentFormatter(): (instant: string) => string {
  const { zone } = useBootstrap().market
  return (instant) => formatDateAndTime(instant, zone)
}

export function Tasks({ tasks }: { tasks: Customer['tasks'] }) {
  const formatInZone = useMomentFormatter()
  return (
    <Panel title="Open tasks" marked>
      <ul className={s.list}>
        {tasks.map(({ id, reason, order_code: code, due }) => (
          <li key={id}>
            <p className={s.task}>{reason}</p>
            <p className={s.small}>
              <Link href={`/orders/${code}/`}>{code}</Link>
              {due && <span> · due {formatInZone(due)}</span>}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type NotesProps = {
  id: string
  notes: NonNullable<Customer['notes']>
  isErased: boolean
  isWriting: boolean
  onWrite: (isWriting: boolean) => void
}

export function Notes({ id, notes, isErased, isWriting, onWrite }: NotesProps) {
  const formatInZone = useMomentFormatter()
  const add = !isErased && !isWriting && (
    <DenseButton kind="word" small onClick={() => onWrite(true)}>
      Add
    </DenseButton>
  )
  return (
    <Panel title="Notes" {...(add && { action: add })}>
      {isWriting && <NoteForm id={id} onEnd={() => onWrite(false)} />}
      <ul className={s.list}>
        {notes.map(({ id: note, body, by, at }) => (
          <li key={note}>
            <p className={s.note}>{body}</p>
            <p className={s.small}>
              {by}, {formatInZone(at)}
            </p>
          </li>
        ))}
      </ul>
      {notes.length === 0 && !isWriting && <p className="muted">No notes yet.</p>}
    </Panel>
  )
}

export function RecentAccess({ id, looked }: { id: string; looked: readonly AccessLogEntry[] }) {
  const formatInZone = useMomentFormatter()
  return (
    <Panel
      title="Access log"
      action={
        <DenseButton kind="word" small href={`/customers/${id}/looked/`}>
          All
        </DenseButton>
      }
    >
      <ul className={s.people}>
        {looked.map(({ name, what, why, at }, index) => (
          <li key={`${at} ${index}`}>
            <StaffAvatar name={name} />
            <div>
              <p>{name}</p>
              <p className={s.small}>
                {why || what}, {formatInZone(at)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
