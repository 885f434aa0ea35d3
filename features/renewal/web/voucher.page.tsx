import type { PageProps } from '#kit/web/page.ts'
import { RenewFrame } from './RenewFrame.tsx'
import { VoucherRenewal } from './VoucherRenewal.tsx'

export default function VoucherRenewalPage({ params: { shortId = '', code } }: PageProps) {
  return (
    <RenewFrame shortId={shortId} code={code}>
      {(plan) => <VoucherRenewal plan={plan} code={code ?? ''} />}
    </RenewFrame>
  )
}
