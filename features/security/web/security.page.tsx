import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { SecurityEvents } from './SecurityEvents.tsx'
import { SessionsSection } from './SessionsSection.tsx'

export default function SecurityPage() {
  return (
    <AccountFrame
      title="Security"
      lead="See where you’re logged in and your account’s recent activity, and log out devices you don’t use."
    >
      <SessionsSection />
      <SecurityEvents />
    </AccountFrame>
  )
}
