import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import type { Service } from '#features/services/services.contract.ts'
import { productsQuery } from '#features/plans/web/plans.queries.ts'
import { servicesQuery, servicesUnavailableMessage } from '#features/services/web/services.queries.ts'
import { addOnMessages } from '../addons.contract.ts'
import { BuyAddOn } from './BuyAddOn.tsx'
import { listAddOnsOnOffer } from './addon.labels.ts'

/** The page where a customer buys add-ons for a service's current plan (specification 2.7). */
export default function AddOnsPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const services = useQuery(servicesQuery(useApi()))
  const service = services.data?.[uuid]
  if (services.data && !service) return <NotFoundScreen />
  return (
    <>
      <Breadcrumb href={`/services/${uuid}/`} text={service?.phone_number ?? 'Back to your service'} />
      {service?.is_expired && <ExpiredService service={service} />}
      {service && !service.is_expired && <AddOnsForSale service={service} />}
      {!service && <PageTitle>Purchase Add-Ons</PageTitle>}
      {!service &&
        (services.error ? (
          <Unavailable
            what={servicesUnavailableMessage}
            error={services.error}
            onRetry={() => void services.refetch()}
          />
        ) : (
          <Card>
            <Skeleton lines={8} />
          </Card>
        ))}
    </>
  )
}

function ExpiredService({ service }: { service: Service }) {
  return (
    <>
      <PageTitle>Purchase Add-Ons</PageTitle>
      <Banner kind="warn">{addOnMessages.expired}</Banner>
      <Button href={`/services/renew/${service.plan_short_id}/`}>RENEW OR BUY PREPAY PLAN</Button>
    </>
  )
}

function AddOnsForSale({ service }: { service: Service }) {
  const api = useApi()
  const products = useQuery(productsQuery(api))
  // Refetch the account after 5 seconds, because another tab or a late payment result may have changed the saved card.
  const user = useQuery({ ...accountQuery(api), staleTime: 5_000 }).data?.user
  if (products.data && user)
    return <BuyAddOn service={service} addOns={listAddOnsOnOffer(products.data)} card={user.credit_card_token} />
  return (
    <>
      <PageTitle>Purchase Add-Ons</PageTitle>
      {products.isError ? (
        <Unavailable what="Our Add-Ons didn’t load." onRetry={() => void products.refetch()} />
      ) : (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </>
  )
}
