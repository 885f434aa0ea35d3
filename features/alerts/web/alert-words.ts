import { type AlertsView, usageAlerts } from '../alerts.contract.ts'

export function alertsInWords(alerts: AlertsView): string {
  const percents = usageAlerts.filter((name) => alerts[name] !== 'off').map((name) => `${alerts.percents[name]}%`)
  if (percents.length === 0) return 'No data alerts'
  const last = percents.at(-1)
  const others = percents.slice(0, -1)
  return `At ${others.length > 0 ? `${others.join(', ')} and ${last}` : last} of your data`
}
