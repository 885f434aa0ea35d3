import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { DownloadData } from './DownloadData.tsx'

/** What we keep of the customer, and what they can do about it. */
export default function PrivacyPage() {
  return (
    <AccountFrame title="Privacy" lead="See what we keep of you, and take it with you.">
      <DownloadData />
    </AccountFrame>
  )
}
