import { type AlertsView, usageAlerts } from '../alerts.contract.ts'

export function alertsLabel(alerts: AlertsView): string {
  const percents = usageAlerts.filter((name) => alerts[name] !== 'off').map((name) => `${alerts.percents[name]}%`)
  if (percents.length === 0) return 'No data alerts'
  const lastPercent = percents.at(-1)
  const otherPercents = percents.slice(0, -1)
  return `At ${otherPercents.length > 0 ? `${otherPercents.join(', ')} and ${lastPercent}` : lastPercent} of your data`
}
