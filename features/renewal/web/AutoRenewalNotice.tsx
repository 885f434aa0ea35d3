import { Link } from '#kit/web/Link.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { RenewablePlan } from './renewable-plan.ts'
import * as s from './renewal.module.css'

export function AutoRenewalNotice({ plan: { service, schedule } }: { plan: RenewablePlan }) {
  const { title, text, card_button: card, auto_renewal_note: note } = service.outlook
  if (!note) return null
  const isOn = schedule.auto_recharge_enabled
  const servicePath = `/services/${service.uuid}/`
  return (
    <section aria-label={isOn ? title : 'Auto-renewal'} className={s.first}>
      <Card>
        {isOn && (
          <>
            <h2>{title}</h2>
            <p>{renderEmphasis(text)}</p>
            <Button href={card ? '/account/payment-method/' : servicePath}>{card ?? 'Keep auto-renewal'}</Button>
          </>
        )}
        <p>{renderEmphasis(note)}</p>
        {!isOn && <Link href={`${servicePath}?auto-renewal`}>Enable auto-renewal</Link>}
      </Card>
    </section>
  )
}

const renderEmphasis = (text: string) =>
  text
    .split('**')
    .map((part, partIndex) =>
      partIndex % 2 === 1 ? <strong key={part}>{part}</strong> : <span key={part}>{part}</span>,
    )
