import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import { roleWords } from '#desk/features/staff/web/me.words.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { TeamPerson } from '../team.contract.ts'
import type { TeamWish } from './TeamDrawer.tsx'
import * as s from './team.module.css'

const columns = [
  { title: 'Name', isName: true, hasWholeWords: true },
  { title: 'E-mail', isAddress: true },
  { title: 'Roles', hasWholeWords: true },
  { title: 'Passkeys', hasWholeWords: true, isExtra: true },
  { title: 'Status', hasWholeWords: true },
  { title: 'Actions', hasWholeWords: true },
]

type Props = { people: TeamPerson[]; onWish: (wish: TeamWish) => void }

export function People({ people, onWish }: Props) {
  const { zone } = useBootstrap().market
  const me = useMe()
  const minute = (at: string) => minuteOf(at, zone)
  const rows = people.map((person) => ({
    key: person.id,
    cells: [
      person.name,
      <Address key="email" email={person.email} />,
      roleWords(person),
      passkeyWords(person, minute),
      <Here key="here" person={person} minute={minute} />,
      person.id === me?.id ? 'You' : <Acts key="acts" person={person} onWish={onWish} />,
    ],
  }))
  return <DataTable caption="Desk staff" columns={columns} rows={rows} />
}

function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <>
      <span>{email.slice(0, at)}</span>
      <wbr />
      <span>{email.slice(at)}</span>
    </>
  )
}

type Minute = (at: string) => string

function passkeyWords({ passkeys, passkey_used: used, invited_until: until }: TeamPerson, minute: Minute): string {
  const has = passkeys === 0 ? 'None' : `${passkeys}${used ? `, used ${minute(used)}` : ''}`
  return until ? `${has}; invited until ${minute(until)}` : has
}

function Here({ person: { suspended, is_here: isHere, seen }, minute }: { person: TeamPerson; minute: Minute }) {
  if (suspended)
    return (
      <TonePill key="suspended" tone="bad">
        Suspended {minute(suspended)}
      </TonePill>
    )
  if (isHere) return <TonePill tone="good">Signed in</TonePill>
  return <span>{seen ? `Last seen ${minute(seen)}` : 'Not seen recently'}</span>
}

function Acts({ person, onWish }: { person: TeamPerson; onWish: Props['onWish'] }) {
  const { name, suspended, is_here: isHere } = person
  return (
    <span className={s.wishes}>
      {!suspended && (
        <DenseButton kind="word" small label={`Roles of ${name}`} onClick={() => onWish({ act: 'roles', person })}>
          Roles
        </DenseButton>
      )}
      <DenseButton kind="word" small label={`Invite again: ${name}`} onClick={() => onWish({ act: 'invite', person })}>
        Invite again
      </DenseButton>
      {isHere && (
        <DenseButton kind="word" small label={`End sessions of ${name}`} onClick={() => onWish({ act: 'end', person })}>
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
