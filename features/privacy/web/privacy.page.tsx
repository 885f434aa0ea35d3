import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { DownloadData } from './DownloadData.tsx'
import { Erasure } from './Erasure.tsx'
import { MarketingChoice } from './MarketingChoice.tsx'
import { ToMessages } from './ToMessages.tsx'

/** What we keep of the customer, and what they can do about it. */
export default function PrivacyPage() {
  return (
    <AccountFrame title="Privacy" lead="See what we keep of you, take it with you, or have it erased.">
      <Erasure>
        <MarketingChoice />
        <ToMessages />
        <DownloadData />
      </Erasure>
    </AccountFrame>
  )
}
