import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { Events } from './Events.tsx'
import { Sessions } from './Sessions.tsx'

export default function SecurityPage() {
  return (
    <AccountFrame
      title="Security"
      lead="See where you’re signed in and what happened in your account, and sign out devices that you don’t use."
    >
      <Sessions />
      <Events />
    </AccountFrame>
  )
}
