import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import { roleLabel } from '#desk/features/staff/web/me.labels.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { TeamPerson } from '../team.contract.ts'
import type { TeamAction } from './TeamDrawer.tsx'
import * as s from './team.module.css'

const columns = [
  { title: 'Name', isName: true, hasWholeWords: true },
  { title: 'E-mail', isAddress: true },
  { title: 'Roles', hasWholeWords: true },
  { title: 'Passkeys', hasWholeWords: true, isExtra: true },
  { title: 'Status', hasWholeWords: true },
]
const actionsColumn = { title: 'Actions', hasWholeWords: true }

type OpenActionHandler = (wish: TeamAction) => void
/** `onWish` is `null` for staff who may not change anything. */
type Props = { people: TeamPerson[]; onWish: OpenActionHandler | null }

export function TeamTable({ people, onWish }: Props) {
  const { zone } = useBootstrap().market
  const me = useMe()
  const formatTime = (at: string) => formatDayAndTime(at, zone)
  const rows = people.map((person) => ({
    key: person.id,
    cells: [
      person.name,
      <BreakableEmail key="email" email={person.email} />,
      roleLabel(person),
      passkeyLabel(person, formatTime),
      <PresenceCell key="here" person={person} minute={formatTime} />,
      onWish && (person.id === me?.id ? 'You' : <PersonActions key="acts" person={person} onWish={onWish} />),
    ],
  }))
  return <DataTable caption="Desk staff" columns={onWish ? [...columns, actionsColumn] : columns} rows={rows} />
}

function BreakableEmail({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <span>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  )
}

type TimeFormatter = (at: string) => string

function passkeyLabel(
  { passkeys, passkey_used: used, invited_until: until }: TeamPerson,
  minute: TimeFormatter,
): string {
  const passkeyText = passkeys === 0 ? 'None' : `${passkeys}${used ? `, used ${minute(used)}` : ''}`
  return until ? `${passkeyText}; invited until ${minute(until)}` : passkeyText
}

function PresenceCell({
  person: { suspended, is_here: isHere, seen },
  minute,
}: {
  person: TeamPerson
  minute: TimeFormatter
}) {
  if (suspended)
    return (
      <TonePill key="suspended" tone="bad">
        Suspended {minute(suspended)}
      </TonePill>
    )
  if (isHere) return <TonePill tone="good">Signed in</TonePill>
  return <span>{seen ? `Last seen ${minute(seen)}` : 'Not seen recently'}</span>
}

function PersonActions({ person, onWish }: { person: TeamPerson; onWish: OpenActionHandler }) {
  const { name, suspended, is_here: isHere } = person
  return (
    <span className={s.wishes}>
      {!suspended && (
        <DenseButton kind="word" small label={`Roles for ${name}`} onClick={() => onWish({ act: 'roles', person })}>
          Roles
        </DenseButton>
      )}
      <DenseButton kind="word" small label={`Invite again: ${name}`} onClick={() => onWish({ act: 'invite', person })}>
        Invite again
      </DenseButton>
      {isHere && (
        <DenseButton
          kind="word"
          small
          label={`End sessions for ${name}`}
          onClick={() => onWish({ act: 'end', person })}
        >
          End sessions
        </DenseButton>
      )}
      {!suspended && (
        <DenseButton kind="word" small label={`Suspend ${name}`} onClick={() => onWish({ act: 'suspend', person })}>
          Suspend
        </DenseButton>
      )}
    </span>
  )
}
