import { useEffect, useState } from 'react'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { type Voucher, voucherCodeLength } from '../vouchers.contract.ts'
import { saveVoucher } from './saved-voucher.ts'
import { CorrectCodeForm } from './CorrectCodeForm.tsx'
import { VoucherPlan } from './VoucherPlan.tsx'
import { getVoucherCode, useVoucher } from './voucher.queries.ts'
import * as s from './start.module.css'

export default function VoucherStartPage({ params }: PageProps) {
  const code = getVoucherCode(params)
  const { data, isError } = useVoucher(code)
  const [hasCodeError, setCodeError] = useState(code.length !== voucherCodeLength)
  if (isError && !hasCodeError) setCodeError(true)

  return (
    <>
      <PageTitle
        lead={
          !hasCodeError && (
            <span>
              Your code is{' '}
              <b className={s.code} translate="no">
                {code}
              </b>
            </span>
          )
        }
      >
        Start with a Voucher Code
      </PageTitle>
      <Columns>
        {data && <VoucherActions voucher={data} />}
        {!data &&
          (hasCodeError ? (
            <CorrectCodeForm code={code} />
          ) : (
            <Card>
              <Skeleton lines={4} />
            </Card>
          ))}
      </Columns>
    </>
  )
}

function VoucherActions({ voucher: { code, product } }: { voucher: Voucher }) {
  useEffect(() => saveVoucher(code), [code])
  return (
    <>
      <VoucherPlan product={product} />
      <h2 className={s.question}>What would you like to do?</h2>
      <ul className={s.choices}>
        <li>
          <VoucherAction
            icon="sim"
            href="/activate/new/"
            text="Activate a new Prepay Plan"
            more="You have a new SIM pack and want to start using it."
          />
        </li>
        <li>
          <VoucherAction
            icon="phone"
            href={`/services/renew/voucher/${encodeURIComponent(code)}/`}
            text="Renew an existing Prepay Plan"
            more="You’re already a customer. We’ll ask you to log in if you haven’t yet."
          />
        </li>
      </ul>
    </>
  )
}

function VoucherAction({ icon, href, text, more }: { icon: IconName; href: string; text: string; more: string }) {
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
