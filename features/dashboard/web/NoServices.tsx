import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { useGreeting } from './use-greeting.ts'
import * as s from './dashboard.module.css'

export default function NoServices() {
  return (
    <div className={s.empty}>
      <h1>{useGreeting()}</h1>
      <Card>
        <FanProgress part={1} />
        <h2>No phone numbers yet</h2>
        <p className="muted">Activate a SIM to see its Prepay Plan, data and Add-Ons here.</p>
        <Button href="/activate/new/">Activate New Sim</Button>
      </Card>
      <Button kind="quiet" href="/account/contact-details/">
        ACCOUNT SETTINGS
      </Button>
    </div>
  )
}
