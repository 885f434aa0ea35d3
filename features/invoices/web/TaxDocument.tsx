import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import { describeCreditNote, documentTitles, type Invoice, saleDetailRows } from '../invoices.contract.ts'
import { LineItems } from './LineItems.tsx'
import * as s from './invoice.module.css'

export function TaxDocument({ invoice, history }: { invoice: Invoice; history: string }) {
  const { brand, market } = useBootstrap()
  const { document_type, issuer } = invoice
  return (
    <article>
      <p className={s.brand}>{brand.name}</p>
      <h1>{documentTitles[document_type]}</h1>
      {/* Australian law calls a credit note an adjustment note. */}
      {document_type === 'credit' && market.code === 'AU' && <p className="muted">Adjustment note</p>}
      <DocumentDetails invoice={invoice} history={history} />
      <div className={s.parties}>
        <section>
          <h2>From</h2>
          <p className={s.name}>{issuer.name}</p>
          <p>
            {issuer.tax_label} {issuer.tax_number}
          </p>
          <p>{issuer.address}</p>
        </section>
        <section>
          <h2>To</h2>
          <p className={s.name}>{invoice.full_name}</p>
          <p>{invoice.email}</p>
        </section>
      </div>
      <LineItems items={invoice.line_items} />
      <div className={s.totals}>
        <SummaryList
          rows={[['GST included', formatPrice(decimalToCents(invoice.tax))]]}
          total={['Total', formatPrice(decimalToCents(invoice.total_price))]}
          note={`${invoice.currency}, including GST`}
        />
      </div>
      {document_type === 'credit' && <p className={s.note}>{describeCreditNote(invoice)}</p>}
    </article>
  )
}

function DocumentDetails({ invoice, history }: { invoice: Invoice; history: string }) {
  const { market } = useBootstrap()
  const { refund_ref } = invoice
  return (
    <dl className={s.facts}>
      <div>
        <dt>Date</dt>
        <dd>{formatDate(invoice.created, market.zone)}</dd>
      </div>
      <div>
        <dt>Order #</dt>
        <dd translate="no">{invoice.order_code}</dd>
      </div>
      {saleDetailRows(invoice).map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {refund_ref !== null && (
        <div>
          <dt>Refund reference</dt>
          <dd>
            <Link href={`${history}${refund_ref}/`}>{refund_ref}</Link>
          </dd>
        </div>
      )}
    </dl>
  )
}
