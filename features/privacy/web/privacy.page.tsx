import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { DownloadData } from './DownloadData.tsx'
import { Erasure } from './Erasure.tsx'
import { MarketingChoice } from './MarketingChoice.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import * as s from './privacy.module.css'

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

function ToMessages() {
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>What we sent you</h2>
      <p className={s.lead}>
        Every email and text of the last 90 days: when, about what, and to which address or number.
      </p>
      <Button kind="quiet" className={s.act ?? ''} href="/account/privacy/messages/">
        See what we sent you
      </Button>
    </Card>
  )
}
