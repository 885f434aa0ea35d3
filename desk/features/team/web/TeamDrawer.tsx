import { Drawer } from '#kit/web/desk/Drawer.tsx'
import type { TeamPerson } from '../team.contract.ts'
import { EndSessionsForm } from './EndSessionsForm.tsx'
import { InviteForm } from './InviteForm.tsx'
import { RolesForm } from './RolesForm.tsx'
import { SuspendForm } from './SuspendForm.tsx'

export type TeamAction =
  | { act: 'invite'; person?: TeamPerson }
  | { act: 'roles' | 'suspend' | 'end'; person: TeamPerson }

type Props = {
  wish: TeamAction | null
  onClose: () => void
  onChanged: () => void
  onDone: (text: string) => void
}

export function TeamDrawer({ wish, onClose, onChanged, onDone }: Props) {
  const handleDone = (text: string) => {
    onChanged()
    onClose()
    onDone(text)
  }
  return (
    <Drawer title={wish ? getDrawerTitle(wish) : ''} open={wish !== null} onClose={onClose}>
      {wish?.act === 'invite' && (
        <InviteForm key={wish.person?.id} {...(wish.person && { person: wish.person })} onDone={handleDone} />
      )}
      {wish?.act === 'roles' && <RolesForm person={wish.person} onDone={handleDone} />}
      {wish?.act === 'suspend' && <SuspendForm person={wish.person} onDone={handleDone} />}
      {wish?.act === 'end' && <EndSessionsForm person={wish.person} onDone={handleDone} />}
    </Drawer>
  )
}

function getDrawerTitle(action: TeamAction): string {
  switch (action.act) {
    case 'invite':
      return action.person ? `Invite ${action.person.name} again` : 'Invite'
    case 'roles':
      return `Roles for ${action.person.name}`
    case 'suspend':
      return `Suspend ${action.person.name}`
    case 'end':
      return `End sessions for ${action.person.name}`
  }
}
