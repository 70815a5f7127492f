import { bytes, num, short, whole } from "../format";
import { usePoll } from "../hooks";
import { Bar, Panel, Table } from "../parts";
import type { Tenant } from "../types";

const of = (part: string | undefined, most: string | undefined) => `${whole(part)}${num(most) ? ` of ${whole(most)}` : ""}`;

export function Tenants() {
  const list = usePoll<{ tenants?: Tenant[] }>("Tenants/ListTenants", {});
  if (!list) return <p class="quiet">Asking…</p>;
  const tenants = list.tenants ?? [];
  const fuel = tenants.reduce((sum, tenant) => sum + num(tenant.fuel), 0);
  return (
    <Panel title="Tenants">
      {tenants.length === 0 ? <p class="quiet">None has a job.</p> : (
        <Table name="Tenants" head={["tenant", "weight", "running jobs", "not ended", "ended, kept", "memory on a device", "instructions", "share of them"]}>
          {tenants.map((tenant) => (
            <tr key={tenant.name ?? ""}>
              <td>{tenant.name || <i>without a name</i>}</td><td class="right">{whole(tenant.weight)}</td>
              <td class="right">{of(tenant.runningJobs, tenant.maxRunningJobs)}</td><td class="right">{of(tenant.jobs, tenant.maxJobs)}</td>
              <td class="right">{whole(tenant.endedJobs)}</td><td class="right">{num(tenant.maxMemoryBytes) ? bytes(tenant.maxMemoryBytes) : "no limit"}</td>
              <td class="right">{short(tenant.fuel)}</td><td class="wide"><Bar part={num(tenant.fuel)} all={fuel} label={`share of ${tenant.name ?? "the tenant without a name"}`} /></td>
            </tr>
          ))}
        </Table>)}
      <p class="quiet">Instructions are those of the jobs that are kept.</p>
    </Panel>
  );
}
