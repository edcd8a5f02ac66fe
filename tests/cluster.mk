# The scripts for clusters, tested in the real thing: installs Slurm and GNU parallel (Debian, as
# root) if they are not there, and runs tests/cluster.bats, which starts a cluster of its own.

CLUSTER_PACKAGES := slurm-wlm munge parallel

check-cluster:
	@{ command -v slurmctld && command -v slurmd && command -v munged && command -v parallel; } \
		>/dev/null || { apt-get update && \
		apt-get install -y --no-install-recommends $(CLUSTER_PACKAGES); }
	@$(MAKE) --no-print-directory check TEST=cluster

.PHONY: check-cluster
