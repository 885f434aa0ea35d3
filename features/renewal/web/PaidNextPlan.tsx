import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import { renewalMessages } from '../renewal.contract.ts'
import type { RenewablePlan } from './renewable-plan.ts'
import * as s from './renewal.module.css'

type Props = {
  plan: RenewablePlan
  next: NonNullable<Schedule['next_plan']>
  children: (plan: RenewablePlan) => TextFreeNode
}

export default function PaidNextPlan({ plan, next, children }: Props) {
  const { market } = useBootstrap()
  const { search } = useRawLocation()
  const { uuid, outlook } = plan.service
  const planChange = outlook.change_next_plan
  if (planChange && search === 'change')
    return (
      <>
        <div className={s.change}>
          <Banner kind="info">{planChange.line}</Banner>
        </div>
        {children({ ...plan, change: planChange })}
      </>
    )
  return (
    <Columns>
      <Banner kind="info">{renewalMessages.queued(next.title, formatDate(next.starts_on, market.zone))}</Banner>
      <Button href={`/services/${uuid}/`}>Back to your service</Button>
    </Columns>
  )
}
