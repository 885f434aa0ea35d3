import { Link } from '#kit/web/Link.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { Renewed } from './renewed.ts'
import * as s from './renewal.module.css'

export function AutoRenewalFirst({ plan: { service, schedule } }: { plan: Renewed }) {
  const { title, text, card_button: card, auto_renewal_note: note } = service.outlook
  if (!note) return null
  const isOn = schedule.auto_recharge_enabled
  const home = `/services/${service.uuid}/`
  return (
    <section aria-label={isOn ? title : 'Auto-renewal'} className={s.first}>
      <Card>
        {isOn && (
          <>
            <h2>{title}</h2>
            <p>{withStrong(text)}</p>
            <Button href={card ? '/account/payment-method/' : home}>{card ?? 'Keep auto-renewal'}</Button>
          </>
        )}
        <p>{withStrong(note)}</p>
        {!isOn && <Link href={`${home}?auto-renewal`}>Enable auto-renewal</Link>}
      </Card>
    </section>
  )
}

const withStrong = (text: string) =>
  text
    .split('**')
    .map((part, at) => (at % 2 === 1 ? <strong key={part}>{part}</strong> : <span key={part}>{part}</span>))
