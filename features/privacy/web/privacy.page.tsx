import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { DownloadData } from './DownloadData.tsx'
import { ErasureSection } from './ErasureSection.tsx'
import { MarketingChoice } from './MarketingChoice.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import * as s from './privacy.module.css'

export default function PrivacyPage() {
  return (
    <AccountFrame title="Privacy" lead="See, download or delete the data we hold about you.">
      <ErasureSection>
        <MarketingChoice />
        <MessagesLink />
        <DownloadData />
      </ErasureSection>
    </AccountFrame>
  )
}

function MessagesLink() {
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>What we sent you</h2>
      <p className={s.lead}>
        Every email and text from the last 90 days: when we sent it, what it was about, and the address or number it
        went to.
      </p>
      <Button kind="quiet" className={s.act ?? ''} href="/account/privacy/messages/">
        See what we sent you
      </Button>
    </Card>
  )
}
