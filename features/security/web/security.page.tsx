import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { Events } from './Events.tsx'
import { Sessions } from './Sessions.tsx'

export default function SecurityPage() {
  return (
    <AccountFrame
      title="Security"
      lead="See where you’re logged in and your account’s recent activity, and log out devices you don’t use."
    >
      <Sessions />
      <Events />
    </AccountFrame>
  )
}
