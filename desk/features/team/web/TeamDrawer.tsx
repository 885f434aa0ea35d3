import { Drawer } from '#kit/web/desk/Drawer.tsx'
import type { TeamPerson } from '../team.contract.ts'
import { EndSessionsForm } from './EndSessionsForm.tsx'
import { InviteForm } from './InviteForm.tsx'
import { RolesForm } from './RolesForm.tsx'
import { SuspendForm } from './SuspendForm.tsx'

export type TeamWish = { act: 'invite'; person?: TeamPerson } | { act: 'roles' | 'suspend' | 'end'; person: TeamPerson }

type Props = {
  wish: TeamWish | null
  onClose: () => void
  onChanged: () => void
  onDone: (said: string) => void
}

export function TeamDrawer({ wish, onClose, onChanged, onDone }: Props) {
  const done = (said: string) => {
    onChanged()
    onClose()
    onDone(said)
  }
  return (
    <Drawer title={wish ? titleOf(wish) : ''} open={wish !== null} onClose={onClose}>
      {wish?.act === 'invite' && (
        <InviteForm key={wish.person?.id} {...(wish.person && { person: wish.person })} onDone={done} />
      )}
      {wish?.act === 'roles' && <RolesForm person={wish.person} onDone={done} />}
      {wish?.act === 'suspend' && <SuspendForm person={wish.person} onDone={done} />}
      {wish?.act === 'end' && <EndSessionsForm person={wish.person} onDone={done} />}
    </Drawer>
  )
}

function titleOf(wish: TeamWish): string {
  switch (wish.act) {
    case 'invite':
      return wish.person ? `Invite ${wish.person.name} again` : 'Invite'
    case 'roles':
      return `Roles of ${wish.person.name}`
    case 'suspend':
      return `Suspend ${wish.person.name}`
    case 'end':
      return `End sessions of ${wish.person.name}`
  }
}
