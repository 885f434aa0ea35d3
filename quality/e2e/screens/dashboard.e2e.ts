import { dashboardScreens } from './dashboard.screens.ts'
import { showAll } from './show.ts'

showAll('dashboard', dashboardScreens)
