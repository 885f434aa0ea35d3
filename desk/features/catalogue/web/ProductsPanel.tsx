import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { DeskProduct } from '../catalogue.contract.ts'
import { ProductName } from './ChangesPanel.tsx'

const columns = [
  { title: 'Product', isName: true },
  { title: 'Type', isShort: true },
  { title: 'Length', isFigure: true },
  { title: 'Price', isFigure: true },
  { title: 'Auto-renewal price', isFigure: true },
  { title: 'Data', isFigure: true },
  { title: 'State', isShort: true },
]

/** Lists all current products, including hidden ones, because customers' plans may still refer to them. */
export function ProductsPanel({ products }: { products: DeskProduct[] }) {
  const rows = products.map((product) => ({
    key: product.unique_id,
    cells: [
      <ProductName key="name" title={product.title} id={product.unique_id} />,
      product.kind === 'plan' ? 'Plan' : 'Add-on',
      `${product.days} days`,
      formatPriceWithCommas(decimalToCents(product.price)),
      product.price_rebill ? formatPriceWithCommas(decimalToCents(product.price_rebill)) : '–',
      `${product.data_gb} GB`,
      <State key="state" product={product} />,
    ],
  }))
  const forSaleCount = products.filter(({ is_for_sale }) => is_for_sale).length
  return (
    <Panel title="On sale now" note={`${forSaleCount} of ${products.length} products`} inset={false}>
      <DataTable caption="On sale now" columns={columns} rows={rows} empty="Nothing is on sale." />
    </Panel>
  )
}

function State({ product }: { product: DeskProduct }) {
  if (product.is_hidden) return <TonePill tone="warn">Hidden</TonePill>
  return product.is_for_sale ? <TonePill tone="good">On sale</TonePill> : <TonePill>Not on sale</TonePill>
}
