import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { CardRenewal } from './CardRenewal.tsx'
import { RenewFrame } from './RenewFrame.tsx'

export default function CardRenewalPage({ params: { shortId = '' } }: PageProps) {
  // The saved card can also change elsewhere: in a different tab, or when a bank responds late.
  const user = useQuery({ ...accountQuery(useApi()), staleTime: 5_000 }).data?.user
  return (
    <RenewFrame shortId={shortId}>
      {(plan) => user && <CardRenewal plan={plan} card={user.credit_card_token} />}
    </RenewFrame>
  )
}
