import { useEffect, useRef } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { IconName } from '#kit/web/widgets/Icon.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import type { PlanStatusView, Service } from '#features/services/services.contract.ts'
import { UpcomingEventCard } from './UpcomingEventCard.tsx'

const stateIcons: Record<PlanStatusView['state'], IconName> = {
  expired: 'warn',
  next_plan_paid: 'good',
  next_plan_cancelling: 'clock',
  charging: 'renew',
  charge_failed: 'card',
  card_trouble: 'card',
  gave_up: 'card',
  withdrawn: 'clock',
  renews: 'renew',
  last_day: 'clock',
  ends_soon: 'clock',
  ends: 'clock',
}

export const needsAttention = ({ tone }: PlanStatusView): boolean => tone === 'soon' || tone === 'bad'

/**
 * Shows the plan's next event, using the text from the server. `changed` increases with each action by the
 * customer, and the updated title then takes the focus. `more` contains extra buttons.
 */
export function UpcomingEvent({ service, changed, more }: { service: Service; changed: number; more: TextFreeNode }) {
  const { outlook } = service
  const focusedTitle = useFocusAfterChange(changed)
  const hasPrimaryButton = needsAttention(outlook)
  return (
    <UpcomingEventCard
      tone={outlook.tone}
      icon={stateIcons[outlook.state]}
      title={outlook.title}
      titleRef={focusedTitle}
      acts={
        <>
          {listActions(service).map(({ text, href }, at) => (
            <Button key={href} kind={hasPrimaryButton && at === 0 ? 'primary' : 'quiet'} wide href={href}>
              {text}
            </Button>
          ))}
          {more}
        </>
      }
    >
      {outlook.text.split('\n').map((line) => (
        <p key={line}>
          {line.split('**').map((part, at) => (at % 2 === 1 ? <strong key={part}>{part}</strong> : part))}
        </p>
      ))}
    </UpcomingEventCard>
  )
}

function listActions({ outlook: { state, card_button }, plan_short_id }: Service): { text: string; href: string }[] {
  const cardActions = card_button ? [{ text: card_button, href: '/account/payment-method/' }] : []
  const isPaid = state === 'next_plan_paid' || state === 'next_plan_cancelling' || state === 'charging'
  const renewActions = isPaid ? [] : [{ text: 'RENEW OR BUY PREPAY PLAN', href: `/services/renew/${plan_short_id}/` }]
  return state === 'gave_up' ? [...renewActions, ...cardActions] : [...cardActions, ...renewActions]
}

function useFocusAfterChange(changed: number) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (changed > 0) ref.current?.focus({ preventScroll: true })
  }, [changed])
  return ref
}
