import { h } from './dom.js'
import { panel } from './panel.js'
import { data } from './words.js'

/** Panel of the plans on sale, with one line for each length. */
export const plansPanel = () => [
  panel(document.querySelector('#plans-list'), { render, empty: 'No plans are on sale right now.' }),
  lengthsOf,
]

function lengthsOf(products) {
  const plans = Object.values(products).filter((product) => product.product_type === 1 && product.sku)
  return [...Map.groupBy(plans, (plan) => plan.length)]
    .toSorted(([one], [other]) => one - other)
    .map(([days, group]) => {
      const cheapest = group.toSorted((one, other) => Number(one.price) - Number(other.price))[0]
      const sizes = group.map((plan) => plan.data_gb)
      return { days, price: cheapest.price, least: Math.min(...sizes), most: Math.max(...sizes) }
    })
}

const render = (lengths) =>
  h(
    'ul',
    { class: 'lengths', role: 'list' },
    lengths.map(({ days, price, least, most }) =>
      h(
        'li',
        { class: 'card' },
        h('b', null, days, h('small', null, ' days')),
        h('span', null, least === most ? data(most) : `${data(least)} to ${data(most)}`),
        h('span', { class: 'muted' }, `from $${price}`),
      ),
    ),
  )
