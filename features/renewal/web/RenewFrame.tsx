import { lazy, Suspense, useEffect } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { servicesQuery, servicesUnavailableMessage } from '#features/services/web/services.queries.ts'
import { findRenewablePlan, type RenewablePlan } from './renewable-plan.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import { clearVoucher, useSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'

const PaidNextPlan = lazy(() => import('./PaidNextPlan.tsx'))

type Props = {
  shortId: string
  code?: string
  children: (plan: RenewablePlan) => TextFreeNode
}

/** The frame shared by all renewal pages (spec 2.8), with the plan to be renewed and the form. */
export function RenewFrame({ shortId, code, children }: Props) {
  const { data: services, error, refetch } = useQuery(servicesQuery(useApi()))
  const isRedirecting = useVoucherRedirect(shortId, code)
  const plan = services && findRenewablePlan(Object.values(services), shortId)
  if (plan === null) return <NotFoundScreen />
  const isUnavailable = error !== null && !services

  const queuedPlan = plan?.schedule.next_plan
  return (
    <>
      {plan ? (
        <Breadcrumb href={`/services/${plan.service.uuid}/`} text={plan.service.phone_number} />
      ) : (
        <Breadcrumb href="/" text="My Dashboard" />
      )}
      <PageTitle lead={plan && `${plan.schedule.product.title} · ${plan.schedule.product.length} days`}>
        Renew Prepay Plan
      </PageTitle>
      {plan && queuedPlan && (
        <Suspense>
          <PaidNextPlan plan={plan} next={queuedPlan}>
            {children}
          </PaidNextPlan>
        </Suspense>
      )}
      {isUnavailable && (
        <Columns>
          <Unavailable what={servicesUnavailableMessage} error={error} onRetry={() => void refetch()} />
        </Columns>
      )}
      {!queuedPlan &&
        !isUnavailable &&
        ((plan && !isRedirecting && children(plan)) || (
          <Columns>
            <Card>
              <Skeleton lines={8} />
            </Card>
          </Columns>
        ))}
    </>
  )
}

/**
 * Applies a saved voucher code once the customer has chosen a plan (spec 4): deletes the saved code, and adds it to the
 * URL of the plan's voucher page unless that URL already has a code. Returns `true` while redirecting.
 */
function useVoucherRedirect(shortId: string, code: string | undefined): boolean {
  const savedVoucherCode = useSavedVoucher()
  const navigate = useNavigate()
  useEffect(() => {
    if (savedVoucherCode === null) return
    if (code === undefined)
      navigate(`/services/renew/${shortId}/voucher/${encodeURIComponent(savedVoucherCode)}/${location.search}`, {
        replace: true,
      })
    clearVoucher()
  }, [savedVoucherCode, code, shortId, navigate])
  return savedVoucherCode !== null && code === undefined
}
