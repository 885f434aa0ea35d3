import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { voucherCodeLength, voucherMessages } from '../vouchers.contract.ts'
import { keepVoucher } from './kept-voucher.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isVoid, voucherFault, voucherQuery } from './voucher.queries.ts'
import s from './start.module.css'

/** Where the link in a voucher's e-mail leads: what the voucher is, and what to do with it. */
export default function VoucherStartPage({ params }: PageProps) {
  const code = (params['code'] ?? '').trim().toUpperCase()
  const complete = code.length === voucherCodeLength
  const { data, error, refetch, isFetching } = useQuery(voucherQuery(useApi(), code))
  useEffect(() => {
    if (data) keepVoucher(data.code)
  }, [data])

  const fault = complete ? error && voucherFault(error) : voucherMessages.unknown
  return (
    <>
      <PageTitle lead={<>Your code is <b className={s.code}>{code}</b></>}>Start with a Voucher Code</PageTitle>
      <Columns>
        {data && (
          <>
            <VoucherPlan product={data.product} />
            <h2 className={s.question}>What would you like to do?</h2>
            <ul className={s.choices}>
              <li><Choice icon="sim" href="/activate/new/" text="Activate a new Prepay Plan" more="You have a new SIM pack and want to start using it." /></li>
              <li><Choice icon="phone" href={`/services/renew/voucher/${encodeURIComponent(code)}/`} text="Renew an existing Prepay Plan" more="You are a customer already. You will be asked to log in." /></li>
            </ul>
          </>
        )}
        {!data && fault && (
          <>
            <div role="alert"><Banner kind="bad">{fault}</Banner></div>
            <div className={s.ways}>
              {complete && !isVoid(error) && <Button disabled={isFetching} onClick={() => void refetch()}>Try Again</Button>}
              <Button kind="quiet" href="/activate/">Activate your SIM</Button>
            </div>
          </>
        )}
        {!data && !fault && <Card><Skeleton lines={4} /></Card>}
      </Columns>
    </>
  )
}

function Choice({ icon, href, text, more }: { icon: IconName; href: string; text: string; more: string }) {
  return (
    <Link href={href} className={s.choice}>
      <Icon name={icon} className={s.icon} />
      <span>
        <span className={s.text}>{text}</span>
        <span className={s.more}>{more}</span>
      </span>
      <Icon name="arrow" />
    </Link>
  )
}
